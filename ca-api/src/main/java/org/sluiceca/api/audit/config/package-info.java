/**
 * The audit trail's part of the composition root. Entry: {@link
 * org.sluiceca.api.audit.config.AuditConfiguration}.
 */
@NullMarked
package org.sluiceca.api.audit.config;

import org.jspecify.annotations.NullMarked;
