package org.sluiceca.load.page;

import com.google.errorprone.annotations.FormatMethod;
import com.google.errorprone.annotations.FormatString;

/** Lines of plain text, one after another. Used by one thread. */
public final class Lines {

  private final StringBuilder text = new StringBuilder();

  /** Adds a line. */
  @FormatMethod
  public void add(@FormatString String form, Object... values) {
    text.append(Text.format(form, values)).append('\n');
  }

  /** Adds an empty line and one that says what follows. */
  @FormatMethod
  public void begin(@FormatString String form, Object... values) {
    text.append('\n');
    add(form, values);
  }

  @Override
  public String toString() {
    return text.toString();
  }
}
