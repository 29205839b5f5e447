package org.sluiceca.api.console;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.sluiceca.core.request.Role;

/** The pages, and the roles that each is for: a page that a role may not open is not offered. */
final class Menu {

  /**
   * A page.
   *
   * @param roles of which one is needed
   */
  record Page(String path, String title, Set<Role> roles) {

    /** Returns whether a path is this page's, or below it; public, for the template asks it. */
    public boolean holds(String wanted) {
      return wanted.equals(path) || wanted.startsWith(path + "/");
    }
  }

  /** In the order of the menu. */
  static final List<Page> PAGES =
      List.of(
          new Page(ConsolePaths.LIVE, "Live", EnumSet.allOf(Role.class)),
          new Page(ConsolePaths.CERTIFICATES, "Certificates", EnumSet.allOf(Role.class)),
          new Page(ConsolePaths.ENROLL, "Enroll", EnumSet.of(Role.REQUESTER)),
          new Page(ConsolePaths.ACCOUNT, "Account", EnumSet.allOf(Role.class)));

  private Menu() {}

  /** Returns the pages that {@code roles} may open. */
  static List<Page> of(Set<Role> roles) {
    return PAGES.stream().filter(page -> page.roles().stream().anyMatch(roles::contains)).toList();
  }

  /** Returns {@code path} if it is a page's, and else the first page's: nothing leads elsewhere. */
  static String target(String path) {
    return PAGES.stream()
        .map(Page::path)
        .filter(path::equals)
        .findFirst()
        .orElse(PAGES.getFirst().path());
  }
}
