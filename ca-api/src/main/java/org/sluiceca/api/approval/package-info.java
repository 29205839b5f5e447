/**
 * Acts that wait for a second person: asked for by one, approved by another, then carried out once.
 * Entry: {@link org.sluiceca.api.approval.Approvals}. Knows nothing of HTTP.
 */
@NullMarked
package org.sluiceca.api.approval;

import org.jspecify.annotations.NullMarked;
