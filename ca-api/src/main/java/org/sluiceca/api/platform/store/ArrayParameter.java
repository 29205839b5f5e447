package org.sluiceca.api.platform.store;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** One column of a batch, bound as an array for {@code unnest}. */
public record ArrayParameter<R>(String sqlType, Function<R, @Nullable Object> value) {

  /** Binds the columns of {@code rows} in order, from parameter 1. */
  public static <R> void bind(
      PreparedStatement statement, List<R> rows, List<ArrayParameter<R>> columns)
      throws SQLException {
    for (int i = 0; i < columns.size(); i++) {
      ArrayParameter<R> column = columns.get(i);
      // The driver wants octets as byte[][], not as an Object[] of byte[].
      @Nullable Object[] values =
          column.isOctets() ? new byte[rows.size()][] : new Object[rows.size()];
      for (int row = 0; row < values.length; row++) {
        values[row] = column.value().apply(rows.get(row));
      }
      statement.setArray(i + 1, statement.getConnection().createArrayOf(column.sqlType(), values));
    }
  }

  private boolean isOctets() {
    return "bytea".equals(sqlType);
  }
}
