package org.sluiceca.api.platform;

import java.util.Optional;

/** The version of the software that runs, as its jar's manifest has it from the build. */
public final class ProductVersion {

  private ProductVersion() {}

  /** Such as {@code 0.2.0}; {@code unknown} where classes are in no jar. */
  public static String running() {
    return Optional.ofNullable(ProductVersion.class.getPackage().getImplementationVersion())
        .orElse("unknown");
  }
}
