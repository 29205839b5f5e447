/** Where the service is and who asks: connections, credentials, trust. */
@NullMarked
package org.sluiceca.client.connect;

import org.jspecify.annotations.NullMarked;
