/** Commands for certificates: enroll, renew, get, find, revoke. */
@NullMarked
package org.sluiceca.client.certificate;

import org.jspecify.annotations.NullMarked;
