package org.sluiceca.api.config;

import org.springframework.beans.factory.BeanCreationException;
import org.springframework.beans.factory.UnsatisfiedDependencyException;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.context.ApplicationContextException;

/** Says in one line why a node did not start. */
public final class StartFailure {

  private StartFailure() {}

  /** Returns the first cause that is not the container's own, in one line. */
  public static String oneLine(Throwable failure) {
    Throwable cause = failure;
    while (isContainers(cause) && cause.getCause() != null) {
      cause = cause.getCause();
    }
    if (cause instanceof BindException bind) {
      Throwable deepest = bind;
      while (deepest.getCause() != null) {
        deepest = deepest.getCause();
      }
      return "configuration " + bind.getName() + ": " + firstLine(deepest);
    }
    return firstLine(cause);
  }

  private static boolean isContainers(Throwable cause) {
    return cause instanceof BeanCreationException
        || cause instanceof UnsatisfiedDependencyException
        || cause instanceof ApplicationContextException
        || cause.getClass().getName().startsWith("org.springframework.boot.web.server.")
        || cause.getClass().getName().startsWith("org.springframework.beans.");
  }

  private static String firstLine(Throwable cause) {
    String name = cause.getClass().getSimpleName();
    return cause.getMessage() == null ? name : cause.getMessage().lines().findFirst().orElse(name);
  }
}
