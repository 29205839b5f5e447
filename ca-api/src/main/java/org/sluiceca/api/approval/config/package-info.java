/**
 * The approvals' part of the composition root. Entry: {@link
 * org.sluiceca.api.approval.config.ApprovalConfiguration}.
 */
@NullMarked
package org.sluiceca.api.approval.config;

import org.jspecify.annotations.NullMarked;
