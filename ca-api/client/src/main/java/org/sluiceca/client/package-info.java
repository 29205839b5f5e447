/**
 * The command {@code sluice}: a client of the REST interface for operators and for machines that
 * renew their own certificates. Knows the service only by its interface; entry: {@code Main}.
 */
@NullMarked
package org.sluiceca.client;

import org.jspecify.annotations.NullMarked;
