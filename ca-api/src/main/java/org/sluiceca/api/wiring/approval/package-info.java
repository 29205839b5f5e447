/**
 * The approvals' part of the composition root. Entry: {@link
 * org.sluiceca.api.wiring.approval.ApprovalConfiguration}.
 */
@NullMarked
package org.sluiceca.api.wiring.approval;

import org.jspecify.annotations.NullMarked;
