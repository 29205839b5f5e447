package org.sluiceca.api.http.connector;

/** Lets a request take longer than others may, for as long as it says that it has good reason. */
public final class SlotExtension {

  static final ScopedValue<Runnable> CURRENT = ScopedValue.newInstance();

  private SlotExtension() {}

  /**
   * Starts the minute again that the request on this thread may take, since its client does its
   * part, or the node is at work for it. On a thread that serves no connection this does nothing.
   */
  public static void extend() {
    if (CURRENT.isBound()) {
      CURRENT.get().run();
    }
  }
}
