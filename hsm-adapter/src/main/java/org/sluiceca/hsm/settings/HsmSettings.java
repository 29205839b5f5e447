package org.sluiceca.hsm.settings;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.sluiceca.hsm.Calibration;
import org.sluiceca.hsm.LaneShares;
import org.sluiceca.hsm.PinFile;
import org.sluiceca.hsm.Window;
import org.sluiceca.hsm.vendor.CkrProfile;

/**
 * How to reach one token and how hard to drive it.
 *
 * @param module the vendor's PKCS#11 library
 * @param tokenLabel the token's label, trailing blanks ignored
 * @param pin where the user PIN is read
 * @param sessions sessions to open, each with a platform thread of its own: 1 to 256, and one for
 *     each window
 * @param queueCapacity jobs that may wait for each group of engines: 1 to 65,536
 * @param lanes what each lane gets of the token while it is busy
 * @param windows how many jobs may be in the token at once: one for each group of its engines, at
 *     most 4, a fixed one alone; {@code sessions} bounds them further
 * @param callTimeout how long a waiter stands by a call that does not return: 100 ms to 10 min
 * @param vendor what this vendor's return values mean
 * @param isolated whether the module runs in a process of its own (docs/adr/0017)
 */
public record HsmSettings(
    Path module,
    String tokenLabel,
    PinFile pin,
    int sessions,
    int queueCapacity,
    LaneShares lanes,
    List<Window> windows,
    Duration callTimeout,
    CkrProfile vendor,
    boolean isolated) {
  /** AWS CloudHSM allows 1,024 sessions per application; 256 threads drive any HSM we know. */
  static final int SESSIONS_MAX = 256;

  /** Five minutes of an HSM that makes 200 signatures/s: no client waits longer. */
  static final int QUEUE_CAPACITY_MAX = 65_536;

  /** Keeps a few engines of a network HSM busy, and both cores of a small host with SoftHSM. */
  private static final int SESSIONS_DEFAULT = 8;

  /** One second of an HSM of 500/s, and 0.1 s of SoftHSM. */
  private static final int QUEUE_CAPACITY_DEFAULT = 512;

  /** RSA-4096 on the slowest token we know takes 0.6 s; ten such in its own queue make 5 s. */
  private static final Duration CALL_TIMEOUT_DEFAULT = Duration.ofSeconds(5);

  private static final Duration CALL_TIMEOUT_MIN = Duration.ofMillis(100);
  private static final Duration CALL_TIMEOUT_MAX = Duration.ofMinutes(10);

  /** PKCS#11 CK_TOKEN_INFO: the label has 32 bytes. */
  private static final int LABEL_LENGTH_MAX = 32;

  /** Checks every range; a contradiction is refused with one line. */
  public HsmSettings {
    check(!tokenLabel.isBlank(), "the token label is empty");
    check(tokenLabel.length() <= LABEL_LENGTH_MAX, "the token label exceeds 32 characters");
    check(
        sessions >= 1 && sessions <= SESSIONS_MAX,
        "sessions must be 1 to " + SESSIONS_MAX + ", not " + sessions);
    check(
        queueCapacity >= 1 && queueCapacity <= QUEUE_CAPACITY_MAX,
        "the queue capacity must be 1 to " + QUEUE_CAPACITY_MAX + ", not " + queueCapacity);
    windows = List.copyOf(windows);
    check(
        !windows.isEmpty() && windows.size() <= Math.min(sessions, Calibration.GROUPS_MAX),
        "there must be 1 to 4 windows, each with a session, not " + windows.size());
    for (Window window : windows) {
      if (window instanceof Window.Fixed(int jobs)) {
        check(windows.size() == 1, "a fixed window together with others");
        check(
            jobs >= 1 && jobs <= sessions,
            "the window must be 1 to the number of sessions (" + sessions + "), not " + jobs);
      }
    }
    check(
        callTimeout.compareTo(CALL_TIMEOUT_MIN) >= 0
            && callTimeout.compareTo(CALL_TIMEOUT_MAX) <= 0,
        "the call timeout must be 100 ms to 10 min, not " + callTimeout);
  }

  /**
   * Eight sessions, all of them the window; a queue of 512, whose lanes share alike; calls of 5 s;
   * the module in this process.
   */
  public static HsmSettings of(Path module, String tokenLabel, PinFile pin) {
    return new HsmSettings(
        module,
        tokenLabel,
        pin,
        SESSIONS_DEFAULT,
        QUEUE_CAPACITY_DEFAULT,
        LaneShares.EQUAL,
        List.of(new Window.Fixed(SESSIONS_DEFAULT)),
        CALL_TIMEOUT_DEFAULT,
        CkrProfile.forModule(module),
        false);
  }

  /** The same with this many sessions, all of them the window. */
  public HsmSettings withSessions(int count) {
    return withWindows(count, List.of(new Window.Fixed(count)));
  }

  /** The same with another bound of the queue. */
  public HsmSettings withQueueCapacity(int capacity) {
    return with(draft -> draft.queueCapacity = capacity);
  }

  /** The same with other shares of the lanes. */
  public HsmSettings withLanes(LaneShares shares) {
    return with(draft -> draft.lanes = shares);
  }

  /** The same with another window, for all engines. */
  public HsmSettings withWindow(Window other) {
    return withWindows(sessions, List.of(other));
  }

  /** Returns the same with {@code count} sessions, which these windows share. */
  public HsmSettings withWindows(int count, List<? extends Window> others) {
    return with(
        draft -> {
          draft.sessions = count;
          draft.windows = List.copyOf(others);
        });
  }

  /** The window of a token whose engines sign all alike. */
  public Window window() {
    return windows.getFirst();
  }

  /** The same with another call timeout. */
  public HsmSettings withCallTimeout(Duration timeout) {
    return with(draft -> draft.callTimeout = timeout);
  }

  /** The same with another profile of return values. */
  public HsmSettings withVendor(CkrProfile profile) {
    return with(draft -> draft.vendor = profile);
  }

  /** The same, with the module in a process of its own, or in this one. */
  public HsmSettings withIsolated(boolean isIsolated) {
    return with(draft -> draft.isolated = isIsolated);
  }

  private HsmSettings with(Consumer<Draft> change) {
    Draft draft = new Draft(this);
    change.accept(draft);
    return draft.settings();
  }

  /** A copy while it is changed: what it says is checked when it is settings again. */
  private static final class Draft {
    private final HsmSettings before;
    private int sessions;
    private int queueCapacity;
    private LaneShares lanes;
    private List<Window> windows;
    private Duration callTimeout;
    private CkrProfile vendor;
    private boolean isolated;

    Draft(HsmSettings before) {
      this.before = before;
      this.sessions = before.sessions;
      this.queueCapacity = before.queueCapacity;
      this.lanes = before.lanes;
      this.windows = before.windows;
      this.callTimeout = before.callTimeout;
      this.vendor = before.vendor;
      this.isolated = before.isolated;
    }

    HsmSettings settings() {
      return new HsmSettings(
          before.module,
          before.tokenLabel,
          before.pin,
          sessions,
          queueCapacity,
          lanes,
          windows,
          callTimeout,
          vendor,
          isolated);
    }
  }

  private static void check(boolean holds, String otherwise) {
    if (!holds) {
      throw new IllegalArgumentException(otherwise);
    }
  }
}
