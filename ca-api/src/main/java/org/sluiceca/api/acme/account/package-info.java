/** Accounts of ACME: a key, its contacts and the binding that it was made with. */
@NullMarked
package org.sluiceca.api.acme.account;

import org.jspecify.annotations.NullMarked;
