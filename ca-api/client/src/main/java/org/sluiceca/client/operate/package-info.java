/** Commands for administrators: credentials, profiles, issuers, approvals, capacity. */
@NullMarked
package org.sluiceca.client.operate;

import org.jspecify.annotations.NullMarked;
