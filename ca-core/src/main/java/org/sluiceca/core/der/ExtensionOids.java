package org.sluiceca.core.der;

/**
 * The extension OIDs that this CA writes or understands (RFC 5280 4.2, RFC 6960 4.2.2.2.1, RFC 9608
 * 2).
 */
public final class ExtensionOids {

  public static final String SUBJECT_KEY_IDENTIFIER = "2.5.29.14";
  public static final String KEY_USAGE = "2.5.29.15";
  public static final String SUBJECT_ALT_NAME = "2.5.29.17";
  public static final String BASIC_CONSTRAINTS = "2.5.29.19";
  public static final String NAME_CONSTRAINTS = "2.5.29.30";
  public static final String CRL_DISTRIBUTION_POINTS = "2.5.29.31";
  public static final String CERTIFICATE_POLICIES = "2.5.29.32";
  public static final String AUTHORITY_KEY_IDENTIFIER = "2.5.29.35";
  public static final String EXTENDED_KEY_USAGE = "2.5.29.37";
  public static final String NO_REVOCATION_AVAILABLE = "2.5.29.56";
  public static final String AUTHORITY_INFORMATION_ACCESS = "1.3.6.1.5.5.7.1.1";

  public static final String OCSP_NO_CHECK = "1.3.6.1.5.5.7.48.1.5";

  private ExtensionOids() {}
}
