/** Commands for administrators: profiles, issuers, approvals. */
@NullMarked
package org.sluiceca.client.operate;

import org.jspecify.annotations.NullMarked;
