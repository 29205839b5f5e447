package org.sluiceca.core.der;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.bouncycastle.asn1.ASN1Encodable;
import org.bouncycastle.asn1.ASN1Encoding;
import org.bouncycastle.asn1.DERBMPString;
import org.bouncycastle.asn1.DERBitString;
import org.bouncycastle.asn1.DERIA5String;
import org.bouncycastle.asn1.DERPrintableString;
import org.bouncycastle.asn1.DERUTF8String;
import org.bouncycastle.asn1.x500.AttributeTypeAndValue;
import org.bouncycastle.asn1.x500.RDN;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.junit.jupiter.api.Test;
import org.sluiceca.core.x509.NameDer;

class NameFormTest {

  @Test
  void of_sameTextInAnotherStringType_isEqual() throws Exception {
    NameForm form = cn(new DERUTF8String("Sluice Root"));

    assertThat(cn(new DERPrintableString("Sluice Root"))).isEqualTo(form);
    assertThat(cn(new DERIA5String("SLUICE  root "))).isEqualTo(form);
    assertThat(cn(new DERBMPString("sluice\tRoot"))).isEqualTo(form);
    assertThat(cn(new DERUTF8String("SluiceRoot"))).isNotEqualTo(form);
  }

  @Test
  void of_caseThatChangesLength_isEqual() throws Exception {
    assertThat(cn(new DERUTF8String("Straße"))).isEqualTo(cn(new DERUTF8String("STRASSE")));
    assertThat(cn(new DERUTF8String("Cafe\u0301"))).isEqualTo(cn(new DERUTF8String("CAFÉ")));
  }

  @Test
  void of_valueThatIsNoString_comparedByItsOctets() throws Exception {
    assertThat(cn(new DERBitString(new byte[] {1})))
        .isEqualTo(cn(new DERBitString(new byte[] {1})));
    assertThat(cn(new DERBitString(new byte[] {1})))
        .isNotEqualTo(cn(new DERBitString(new byte[] {2})));
  }

  @Test
  void of_orderInsideARelativeName_makesNoDifference() throws Exception {
    AttributeTypeAndValue a = new AttributeTypeAndValue(BCStyle.CN, new DERUTF8String("x"));
    AttributeTypeAndValue b = new AttributeTypeAndValue(BCStyle.O, new DERUTF8String("y"));

    assertThat(form(new RDN(new AttributeTypeAndValue[] {a, b})))
        .isEqualTo(form(new RDN(new AttributeTypeAndValue[] {b, a})))
        .isNotEqualTo(form(new RDN(a), new RDN(b)));
    assertThat(form(new RDN(a), new RDN(b))).isNotEqualTo(form(new RDN(b), new RDN(a)));
  }

  /** Combining characters by the thousand must not cost more than their octets. */
  @Test
  void of_longValue_isComparedAsItStands() throws Exception {
    String marks = "a" + "\u0301".repeat(20_000);

    assertThat(cn(new DERUTF8String(marks)).values(BCStyle.CN.getId()).getFirst()).startsWith("#");
  }

  @Test
  void of_octetsThatAreNoName_refused() {
    assertThatThrownBy(() -> NameForm.of(NameDer.of(new byte[] {0x04, 0})))
        .isInstanceOf(DerException.class);
  }

  @Test
  void folded_plainText_asByTheGeneralWay() {
    for (char character = '!'; character <= '~'; character++) {
      String plain = "aZ" + character + "09";
      // The space sends it the general way, and is taken off its end.
      assertThat(NameForm.folded(plain)).isEqualTo(NameForm.folded(plain + " "));
    }
  }

  @Test
  void toString_namesTypesForPeople() throws Exception {
    assertThat(cn(new DERUTF8String("A"))).hasToString("CN=a");
  }

  private static NameForm cn(ASN1Encodable value) throws IOException, DerException {
    return form(new RDN(BCStyle.CN, value));
  }

  private static NameForm form(RDN... names) throws IOException, DerException {
    return NameForm.of(NameDer.of(new X500Name(names).getEncoded(ASN1Encoding.DER)));
  }
}
