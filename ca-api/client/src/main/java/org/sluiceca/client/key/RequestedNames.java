package org.sluiceca.client.key;

import java.net.IDN;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.X500NameBuilder;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.bouncycastle.asn1.x509.GeneralName;
import org.jspecify.annotations.Nullable;
import org.sluiceca.client.output.Failure;
import picocli.CommandLine.Option;

/** The options that say whom a new certificate is for. */
public final class RequestedNames {
  @Option(
      names = "--subject",
      paramLabel = "DN",
      description = "e.g. 'CN=www.example.com,O=Example' (the first --dns as CN)")
  private @Nullable String subject;

  @Option(
      names = "--dns",
      paramLabel = "NAME",
      split = ",",
      description = "DNS names, without --csr")
  private List<String> dns = new ArrayList<>();

  @Option(names = "--ip", paramLabel = "ADDRESS", split = ",", description = "IP addresses")
  private List<String> ip = new ArrayList<>();

  @Option(names = "--email", paramLabel = "ADDRESS", split = ",", description = "mail addresses")
  private List<String> email = new ArrayList<>();

  @Option(names = "--uri", paramLabel = "URI", description = "a URI; may be repeated")
  private List<String> uri = new ArrayList<>();

  /** Whether any name was given. */
  public boolean isEmpty() {
    return subject == null && alternatives().isEmpty();
  }

  /** The subject: the one that was given, otherwise the first DNS name; empty if there is none. */
  public X500Name subject() {
    if (subject != null) {
      try {
        return new X500Name(subject);
      } catch (IllegalArgumentException e) {
        throw Failure.usage("--subject is no distinguished name: '" + subject + "'");
      }
    }
    X500NameBuilder builder = new X500NameBuilder(BCStyle.INSTANCE);
    if (!dns.isEmpty()) {
      builder.addRDN(BCStyle.CN, host(dns.getFirst()));
    }
    return builder.build();
  }

  /** The subjectAltNames, in the order DNS, IP, mail, URI. */
  public List<GeneralName> alternatives() {
    List<GeneralName> names = new ArrayList<>();
    add(names, GeneralName.dNSName, dns, "--dns");
    add(names, GeneralName.iPAddress, ip, "--ip");
    add(names, GeneralName.rfc822Name, email, "--email");
    add(names, GeneralName.uniformResourceIdentifier, uri, "--uri");
    return names;
  }

  /** As certificates hold it: letters of other alphabets by IDNA (RFC 5890), xn--. */
  private static String host(String name) {
    return IDN.toASCII(name.strip(), IDN.ALLOW_UNASSIGNED);
  }

  private static void add(List<GeneralName> names, int tag, List<String> values, String option) {
    for (String value : values) {
      try {
        String name = tag == GeneralName.dNSName ? host(value) : value.strip();
        // An IA5String has no other characters; they would become others in silence.
        if (!StandardCharsets.US_ASCII.newEncoder().canEncode(name)) {
          throw new IllegalArgumentException("not ASCII");
        }
        names.add(new GeneralName(tag, name));
      } catch (IllegalArgumentException e) {
        throw Failure.usage(option + " '" + value + "' is not such a name");
      }
    }
  }
}
