/**
 * The versions of profiles, past and active, on PostgreSQL: the contents that each version has had,
 * the versions that administrators stored, and which of them are to issue. Entries: {@link
 * org.sluiceca.api.ledger.profile.ProfileStore}, {@link
 * org.sluiceca.api.ledger.profile.VersionStore}, {@link
 * org.sluiceca.api.ledger.profile.ActivationStore}.
 */
@NullMarked
package org.sluiceca.api.ledger.profile;

import org.jspecify.annotations.NullMarked;
