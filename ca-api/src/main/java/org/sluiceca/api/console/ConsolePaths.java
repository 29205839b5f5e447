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

  /** The last hour of all nodes. */
  public static final String HOUR = "/console/live/hour";

  /** What its plot begins with. */
  public static final String HISTORY = "/console/live/history";

  /** The page that finds certificates; that of each is below, at its serial number. */
  public static final String CERTIFICATES = "/console/certificates";

  /** The page that enrolls. */
  public static final String ENROLL = "/console/enroll";

  private ConsolePaths() {}

  /**
   * Returns whether a page's script asks, and asks again by itself: a page that was left open must
   * not keep its session.
   */
  static boolean isOfScript(HttpServletRequest request) {
    String path = request.getRequestURI();
    return path.equals(EVENTS) || path.equals(HISTORY);
  }

  /** Returns whether a request is for the console, with whatever characters encoded. */
  public static boolean isOfConsole(HttpServletRequest request) {
    String path = decoded(request);
    return path.startsWith(ROOT)
        && (path.length() == ROOT.length() || path.charAt(ROOT.length()) == '/');
  }

  /**
   * Returns whether a path is written as pages write it. Routes are found by the decoded path,
   * rules by the written one: where they differ, a rule would not see its page.
   */
  static boolean isPlain(HttpServletRequest request) {
    return decoded(request).equals(request.getRequestURI());
  }

  private static String decoded(HttpServletRequest request) {
    String info = request.getPathInfo();
    return info == null ? request.getServletPath() : request.getServletPath() + info;
  }
}
