package org.sluiceca.api.console;

import jakarta.servlet.http.HttpServletRequest;

/** The console's paths. */
public final class ConsolePaths {

  static final String ROOT = "/console";
  static final String SIGN_IN = "/console/sign-in";
  static final String SIGN_OUT = "/console/sign-out";
  static final String ACCOUNT = "/console/account";
  static final String SESSIONS = "/console/account/sessions";
  static final String ASSETS = "/console/assets/";

  /** The live page. */
  public static final String LIVE = "/console/live";

  /** Its stream of events. */
  public static final String EVENTS = "/console/live/events";

  /** What its plot begins with. */
  public static final String HISTORY = "/console/live/history";

  private ConsolePaths() {}

  /**
   * Returns whether a page's script asks, and asks again by itself: a page that was left open must
   * not keep its session.
   */
  static boolean isOfScript(HttpServletRequest request) {
    String path = request.getRequestURI();
    return path.equals(EVENTS) || path.equals(HISTORY);
  }

  /** Returns whether a request is for the console. */
  public static boolean isOfConsole(HttpServletRequest request) {
    String path = request.getRequestURI();
    return path.startsWith(ROOT)
        && (path.length() == ROOT.length() || path.charAt(ROOT.length()) == '/');
  }
}
