package org.sluiceca.api.issuance.store.commit;

/** Hears of each commit of the ledger's writers. Called on their threads: must not block. */
@FunctionalInterface
public interface CommitObserver {

  /**
   * One batch is durable.
   *
   * @param batchSize its rows, at least 1
   * @param nanos from taking the batch to its commit, retries included
   */
  void committed(int batchSize, long nanos);
}
