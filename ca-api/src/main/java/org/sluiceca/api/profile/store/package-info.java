/**
 * The versions of profiles, past and active, on PostgreSQL: the contents that each version has had,
 * the versions that administrators stored, and which of them are to issue. Entries: {@link
 * org.sluiceca.api.profile.store.ProfileStore}, {@link
 * org.sluiceca.api.profile.store.VersionStore}, {@link
 * org.sluiceca.api.profile.store.ActivationStore}.
 */
@NullMarked
package org.sluiceca.api.profile.store;

import org.jspecify.annotations.NullMarked;
