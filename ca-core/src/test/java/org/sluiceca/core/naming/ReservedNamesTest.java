package org.sluiceca.core.naming;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.sluiceca.core.der.DerException;
import org.sluiceca.core.der.NameCodec;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.x509.DistinguishedName;
import org.sluiceca.core.x509.DistinguishedName.Attribute;
import org.sluiceca.core.x509.GeneralName;
import org.sluiceca.core.x509.IpLiteral;
import org.sluiceca.core.x509.NameAttribute;
import org.sluiceca.core.x509.NameDer;

class ReservedNamesTest {

  private static final RequesterId REQUESTER = new RequesterId("alice");

  private static final NameDer ROOT = name("Sluice Test", "Sluice Root 1");

  private static final ReservedNames RESERVED =
      ReservedNames.of(
          Set.of("localhost", "CA.Corp.Example.", "127.0.0.1", "0:0:0:0:0:0:0:1"), Set.of(ROOT));

  @Test
  void refusal_nameOfANode_inAnyForm() throws DerException {
    for (String dns :
        List.of(
            "localhost",
            "LOCALHOST",
            "localhost.",
            "ca.corp.example",
            "Ca.CORP.example",
            "ca.corp.example.",
            "*.corp.example",
            "*.CORP.example.",
            "c*.corp.example",
            "*a.corp.example",
            "c*a.corp.example",
            "*",
            "127.0.0.1",
            "::1")) {
      assertThat(refusal(new GeneralName.Dns(dns))).as(dns).isPresent();
      assertThat(RESERVED.refusal(REQUESTER, name(null, dns), List.of())).as(dns).isPresent();
    }
    // No iPAddress has these forms, but a commonName may be any text.
    for (String address :
        List.of(
            "::ffff:127.0.0.1",
            "::FFFF:7f00:1",
            "0:0:0:0:0:ffff:127.0.0.1",
            "127.000.000.001",
            "0000::0001")) {
      assertThat(RESERVED.refusal(REQUESTER, name(null, address), List.of()))
          .as(address)
          .isPresent();
    }
    for (String text : List.of("::2", "127.0.0.2", "1.2.3.4.5", "::ffff:127.0.0.256", "cafe.de")) {
      assertThat(RESERVED.refusal(REQUESTER, name(null, text), List.of())).as(text).isEmpty();
    }
    for (String uri :
        List.of(
            "https://localhost/x",
            "https://user@CA.corp.example:8443",
            "https://127.0.0.1:8443/",
            "https://[::1]:8443/",
            "spiffe://ca.corp.example/a")) {
      assertThat(refusal(new GeneralName.Uri(uri))).as(uri).isPresent();
    }
    assertThat(refusal(ip("127.0.0.1"))).isPresent();
    assertThat(refusal(ip("::1"))).isPresent();
  }

  @Test
  void refusal_nameOfNoNode_isEmpty() throws DerException {
    for (String dns :
        List.of(
            "www.corp.example",
            "corp.example",
            "a.ca.corp.example",
            "*.ca.corp.example",
            "*.example",
            "w*.corp.example",
            "xlocalhost",
            "localhost.example",
            "127.0.0.2")) {
      assertThat(refusal(new GeneralName.Dns(dns))).as(dns).isEmpty();
    }
    assertThat(refusal(ip("127.0.0.2"))).isEmpty();
    assertThat(refusal(new GeneralName.Uri("urn:localhost"))).isEmpty();
    assertThat(refusal(new GeneralName.Email("admin@localhost"))).isEmpty();
    assertThat(refusal(new GeneralName.Unsupported(4))).isEmpty();
  }

  @Test
  void refusal_secondNameIsReserved_namesIt() throws DerException {
    Optional<String> refusal =
        RESERVED.refusal(
            REQUESTER,
            NameCodec.write(DistinguishedName.EMPTY),
            List.of(new GeneralName.Dns("a.test"), new GeneralName.Dns("*.corp.example")));

    assertThat(refusal.orElseThrow()).contains("*.corp.example", "ca.corp.example", "reserved");
  }

  /** RFC 5280 7.1: neither case nor white space nor composition makes another name. */
  @Test
  void refusal_nameOfACa_inAnyForm() throws DerException {
    assertThat(RESERVED.refusal(REQUESTER, ROOT, List.of()).orElseThrow())
        .contains("sluice root 1");
    for (NameDer same :
        List.of(
            name("sluice test", "SLUICE ROOT 1"),
            name("Sluice  Test ", " Sluice\u00A0Root 1"),
            name("Sluice Test", "\uFF33luice Root 1"),
            name("Sluice\u200B Test", "Slu\u00ADice Root 1"))) {
      assertThat(RESERVED.refusal(REQUESTER, same, List.of())).isPresent();
    }
  }

  @Test
  void refusal_nameOfNoCa_isEmpty() throws DerException {
    for (NameDer other :
        List.of(
            name("Sluice Test", "Sluice Root 2"),
            name(null, "Sluice Root 1"),
            name("SluiceTest", "Sluice Root 1"),
            NameCodec.write(DistinguishedName.EMPTY))) {
      assertThat(RESERVED.refusal(REQUESTER, other, List.of())).isEmpty();
    }
  }

  /** A CA certificate without a subject must not reserve the empty subject of most requests. */
  @Test
  void refusal_emptyNameOfACa_reservesNothing() throws DerException {
    NameDer empty = NameCodec.write(DistinguishedName.EMPTY);

    assertThat(
            ReservedNames.of(Set.of("", "."), Set.of(empty)).refusal(REQUESTER, empty, List.of()))
        .isEmpty();
  }

  @Test
  void refusal_ofANode_mayNameNodesAndNoCa() throws DerException {
    NameDer empty = NameCodec.write(DistinguishedName.EMPTY);
    List<GeneralName> localhost = List.of(new GeneralName.Dns("localhost"), ip("127.0.0.1"));

    assertThat(RESERVED.refusal(RequesterId.NODE, empty, localhost)).isEmpty();
    assertThat(RESERVED.refusal(RequesterId.NODE, ROOT, List.of())).isPresent();
  }

  @Test
  void refusal_ofACeremony_mayNameCasAndNoNode() throws DerException {
    assertThat(RESERVED.refusal(RequesterId.CEREMONY, ROOT, List.of())).isEmpty();
    assertThat(RESERVED.refusal(RequesterId.CEREMONY, name(null, "localhost"), List.of()))
        .isPresent();
  }

  @Test
  void refusal_longName_isShownCut() throws DerException {
    String uri = "https://localhost/" + "x".repeat(400) + "\u0007";

    assertThat(refusal(new GeneralName.Uri(uri)).orElseThrow()).hasSizeLessThan(250);
  }

  @Test
  void of_nameThatDoesNotParse_refused() {
    assertThatThrownBy(
            () -> ReservedNames.of(Set.of(), Set.of(NameDer.of(new byte[] {0x30, 1, 0}))))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static Optional<String> refusal(GeneralName name) throws DerException {
    return RESERVED.refusal(REQUESTER, NameCodec.write(DistinguishedName.EMPTY), List.of(name));
  }

  private static GeneralName.Ip ip(String text) {
    InetAddress address = IpLiteral.parse(text).orElseThrow();
    return new GeneralName.Ip(address);
  }

  private static NameDer name(@Nullable String organization, String commonName) {
    Attribute common = new Attribute(NameAttribute.COMMON_NAME, commonName);
    return NameCodec.write(
        new DistinguishedName(
            organization == null
                ? List.of(common)
                : List.of(new Attribute(NameAttribute.ORGANIZATION, organization), common)));
  }
}
