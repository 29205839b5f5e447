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
    int _ = bind(statement, 1, rows, columns);
  }

  /**
   * Binds the columns of {@code rows} in order, from parameter {@code first}.
   *
   * @return the number of the parameter after them
   */
  public static <R> int bind(
      PreparedStatement statement, int first, List<R> rows, List<ArrayParameter<R>> columns)
      throws SQLException {
    int parameter = first;
    for (ArrayParameter<R> column : columns) {
      @Nullable Object[] values = column.values(rows.size());
      for (int row = 0; row < values.length; row++) {
        values[row] = column.value().apply(rows.get(row));
      }
      statement.setArray(
          parameter, statement.getConnection().createArrayOf(column.sqlType(), values));
      parameter++;
    }
    return parameter;
  }

  /**
   * The driver wants octets as byte[][]. All else it sends as text, from an Object[]: arrays of the
   * element's own class, which go in binary form, cost PostgreSQL more (docs/performance/SPEED.md).
   */
  private @Nullable Object[] values(int rows) {
    return "bytea".equals(sqlType) ? new byte[rows][] : new Object[rows];
  }
}
