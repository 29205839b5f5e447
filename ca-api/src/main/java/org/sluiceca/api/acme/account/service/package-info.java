/** What accounts of ACME ask for themselves (RFC 8555 7.3). */
@NullMarked
package org.sluiceca.api.acme.account.service;

import org.jspecify.annotations.NullMarked;
