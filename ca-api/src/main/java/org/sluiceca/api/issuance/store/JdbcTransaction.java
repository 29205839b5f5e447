package org.sluiceca.api.issuance.store;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.sluiceca.api.issuance.store.commit.IntentRow;
import org.sluiceca.api.issuance.store.commit.OutcomeRow;
import org.sluiceca.api.issuance.store.commit.PendingRow;
import org.sluiceca.api.platform.store.PartitionKeeper;
import org.sluiceca.core.intent.LedgerStore.IntentAnswer;
import org.sluiceca.core.intent.LedgerStore.OutcomeAnswer;

/** A batch's transaction on PostgreSQL, with a connection of the writers' pool. Thread-safe. */
final class JdbcTransaction implements LedgerWriter.Transaction {

  private final DataSource connections;
  private final PartitionKeeper partitions;

  JdbcTransaction(DataSource connections, PartitionKeeper partitions) {
    this.connections = connections;
    this.partitions = partitions;
  }

  @Override
  public Runnable commit(List<IntentRow> intents, List<OutcomeRow> outcomes)
      throws SQLException, SerialNumberTaken {
    // Closing without a commit rolls back.
    try (Connection connection = connections.getConnection()) {
      partitions.ensure(
          connection,
          intents.stream()
              .map(r -> r.serialNumber().expiryWeek().number())
              .collect(Collectors.toSet()));
      Map<IntentRow, Optional<IntentAnswer>> recorded =
          new IntentInsert(connection).execute(intents);
      Map<OutcomeRow, Optional<OutcomeAnswer>> decided =
          new OutcomeInsert(connection).execute(outcomes);
      connection.commit();
      return () -> {
        // Clients that wait for an outcome before those whose signatures are started now.
        decided.forEach(PendingRow::give);
        recorded.forEach(PendingRow::give);
      };
    }
  }
}
