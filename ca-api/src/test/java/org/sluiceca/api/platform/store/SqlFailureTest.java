package org.sluiceca.api.platform.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a writer does with its rows depends on this table (PostgreSQL, appendix A). */
class SqlFailureTest {

  @ParameterizedTest
  @CsvSource({
    // The server ended the connection: an administrator, a crash, its start, three timeouts.
    "57P01,CONNECTION_LOST",
    "57P02,CONNECTION_LOST",
    "57P03,CONNECTION_LOST",
    "57P05,CONNECTION_LOST",
    "25P03,CONNECTION_LOST",
    "25P04,CONNECTION_LOST",
    // So did the network, or the driver.
    "08000,CONNECTION_LOST",
    "08003,CONNECTION_LOST",
    "08006,CONNECTION_LOST",
    "40001,ROLLED_BACK",
    "40P01,ROLLED_BACK",
    "55P03,ROW",
    "22001,ROW",
    "22021,ROW",
    "23502,ROW",
    "23505,ROW",
    "23514,ROW",
    // A statement in a transaction that has failed already; a statement that took too long.
    "25P02,DATABASE",
    "57014,DATABASE",
    "40002,DATABASE",
    "42501,DATABASE",
    "42P01,DATABASE",
    "53100,DATABASE",
    "53300,DATABASE",
    "58030,DATABASE",
    "XX000,DATABASE",
    "'',DATABASE",
    ",DATABASE",
  })
  void of_sqlState_whatItMeansForTheRows(String state, SqlFailure meaning) {
    assertThat(SqlFailure.of(new SQLException("planted", state))).isEqualTo(meaning);
  }

  /** Another attempt would wait for a connection as long again. */
  @Test
  void of_poolWithoutAConnection_databaseWhateverItsState() {
    assertThat(SqlFailure.of(new SQLTransientConnectionException("planted", "08001")))
        .isEqualTo(SqlFailure.DATABASE);
  }
}
