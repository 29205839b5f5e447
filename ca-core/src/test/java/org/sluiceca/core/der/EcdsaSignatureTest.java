package org.sluiceca.core.der;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.sluiceca.core.testkit.RawDer.hex;

import org.junit.jupiter.api.Test;

class EcdsaSignatureTest {

  @Test
  void ofPlain_highBitAndLeadingZeros_shortestPositiveIntegers() {
    assertThat(EcdsaSignature.ofPlain(hex("80 01 00 7f")))
        .hasToString("3008" + "0203008001" + "02017f");
    assertThat(EcdsaSignature.ofPlain(hex("00 00"))).hasToString("3006020100020100");
  }

  @Test
  void ofPlain_p521_longFormOfTheLength() {
    byte[] plain = new byte[132];
    java.util.Arrays.fill(plain, (byte) 0x7F);

    assertThat(EcdsaSignature.ofPlain(plain).toString()).startsWith("308188" + "0242");
  }

  @Test
  void ofPlain_oddOrNoOctets_refused() {
    assertThatIllegalArgumentException().isThrownBy(() -> EcdsaSignature.ofPlain(new byte[0]));
    assertThatIllegalArgumentException().isThrownBy(() -> EcdsaSignature.ofPlain(new byte[63]));
  }
}
