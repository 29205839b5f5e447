/** Renewal of certificates on the machine that uses them, by nothing but their own keys. */
@NullMarked
package org.sluiceca.client.renew;

import org.jspecify.annotations.NullMarked;
