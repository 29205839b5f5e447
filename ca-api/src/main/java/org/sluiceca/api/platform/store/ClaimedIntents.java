package org.sluiceca.api.platform.store;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sluiceca.core.intent.LedgerStore.ClaimTerms;
import org.sluiceca.core.intent.LedgerStore.TakenOver;

/**
 * What a statement that claims pending intents has in common with others: the terms of its claims,
 * and its rows, which have {@link LedgerColumns#INTENT}, {@code taken_at} and {@code next_epoch}.
 */
public final class ClaimedIntents {

  /** Where the intents were before. */
  public enum Origin {
    /** In the backlog; no node has owned one with the first epoch. */
    BACKLOG,
    /** A node owned them. */
    NODE
  }

  private static final Logger LOG = LoggerFactory.getLogger(ClaimedIntents.class);

  private ClaimedIntents() {}

  /** Sets two parameters, the claims' owner at {@code index}, and their lifetime behind it. */
  public static void setTerms(PreparedStatement statement, int index, ClaimTerms terms)
      throws SQLException {
    statement.setString(index, terms.owner().value());
    statement.setLong(index + 1, terms.lifetime().toMillis());
  }

  /** Executes the statement, and returns those of its rows that can be read. Blocks. */
  public static List<TakenOver> of(PreparedStatement statement, Origin origin) throws SQLException {
    List<TakenOver> taken = new ArrayList<>();
    try (ResultSet rows = statement.executeQuery()) {
      while (rows.next()) {
        read(rows, origin).ifPresent(taken::add);
      }
    }
    return taken;
  }

  /**
   * Empty for a row of a newer node, or a damaged one: it must not keep the rest from their turn,
   * and recovery comes to it when its claim ends.
   */
  private static Optional<TakenOver> read(ResultSet row, Origin origin) throws SQLException {
    try {
      int epoch = row.getInt("next_epoch");
      return Optional.of(
          new TakenOver(
              LedgerColumns.intent(row),
              LedgerColumns.instant(row, "recorded_at"),
              LedgerColumns.instant(row, "taken_at"),
              epoch,
              origin == Origin.BACKLOG && epoch == 1));
    } catch (IllegalArgumentException e) {
      LOG.error(
          "intent {} cannot be read here and stays pending",
          HexFormat.of().formatHex(row.getBytes("serial")),
          e);
      return Optional.empty();
    }
  }
}
