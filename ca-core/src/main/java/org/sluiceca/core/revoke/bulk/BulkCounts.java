package org.sluiceca.core.revoke.bulk;

/**
 * How far a job is, in certificates.
 *
 * @param revoked by this job
 * @param alreadyRevoked by others, after the dry run: they keep their first reason
 * @param refused without revocation information; never among the selected
 */
public record BulkCounts(long revoked, long alreadyRevoked, long refused) {

  /** Returns whether everything that was selected was found and decided about, and nothing else. */
  public boolean accountFor(BulkJob job) {
    return revoked + alreadyRevoked == job.selected();
  }
}
