/**
 * The audit trail's part of the composition root. Entry: {@link
 * org.sluiceca.api.wiring.audit.AuditConfiguration}.
 */
@NullMarked
package org.sluiceca.api.wiring.audit;

import org.jspecify.annotations.NullMarked;
