package org.sluiceca.load.page;

import java.util.Collection;

/** A page of results in Markdown, and the same for a terminal. Used by one thread. */
public final class Page {

  private final StringBuilder markdown = new StringBuilder();
  private final StringBuilder text = new StringBuilder();

  /** Begins a page; its title is no part of the text for a terminal. */
  public Page(String title) {
    markdown.append("# ").append(title).append("\n\n");
  }

  /** Adds a paragraph; does nothing if it is empty. */
  public Page paragraph(String words) {
    if (!words.isEmpty()) {
      markdown.append(words).append("\n\n");
      text.append(words).append("\n\n");
    }
    return this;
  }

  /** Adds a heading. */
  public Page heading(String words) {
    markdown.append("## ").append(words).append("\n\n");
    text.append(words).append('\n');
    return this;
  }

  /** Adds a table; does nothing if it has no rows. */
  public Page table(Table table) {
    if (!table.isEmpty()) {
      markdown.append(table.markdown()).append('\n');
      text.append(table.text()).append('\n');
    }
    return this;
  }

  /**
   * Adds a table under its heading; does nothing if it has no rows.
   *
   * @param note what its columns are, for readers of the file; may be empty
   */
  public Page section(String heading, Table table, String note) {
    if (!table.isEmpty()) {
      heading(heading).table(table);
      markdown.append(note).append(note.isEmpty() ? "" : "\n\n");
    }
    return this;
  }

  /** Adds a list; does nothing if it is empty. */
  public Page items(Collection<String> items) {
    items.forEach(item -> markdown.append("- ").append(item).append('\n'));
    items.forEach(item -> text.append(item).append('\n'));
    markdown.append(items.isEmpty() ? "" : "\n");
    text.append(items.isEmpty() ? "" : "\n");
    return this;
  }

  /** Adds goals as a list, each with whether it was met. */
  public Page goals(Goals goals) {
    return items(goals.all().stream().map(Goals.Goal::words).toList());
  }

  /** Adds pictures, which a terminal does not show. */
  public Page pictures(Collection<String> files) {
    files.forEach(file -> markdown.append("![" + file + "](" + file + ")\n"));
    markdown.append(files.isEmpty() ? "" : "\n");
    return this;
  }

  /** Adds a paragraph that stands in the file and not on the terminal. */
  public Page inFile(String words) {
    markdown.append(words).append("\n\n");
    return this;
  }

  /** Adds a table that stands in the file and not on the terminal. */
  public Page inFile(Table table) {
    markdown.append(table.isEmpty() ? "" : table.markdown() + "\n");
    return this;
  }

  /** Returns a Markdown document. */
  public String markdown() {
    return markdown.toString().stripTrailing() + "\n";
  }

  /** Returns it for a terminal: columns in line, no marks, no pictures. */
  public String text() {
    return text.toString().stripTrailing() + "\n";
  }
}
