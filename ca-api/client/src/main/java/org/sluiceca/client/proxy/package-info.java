/** The proxies of the environment, and connections through them. */
@NullMarked
package org.sluiceca.client.proxy;

import org.jspecify.annotations.NullMarked;
