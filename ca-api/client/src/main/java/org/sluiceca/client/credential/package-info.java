/**
 * Commands about credentials of requesters: add, list, rotate, revoke. A token goes into a file of
 * its own and into no message.
 */
@NullMarked
package org.sluiceca.client.credential;

import org.jspecify.annotations.NullMarked;
