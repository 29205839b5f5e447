package org.sluiceca.load.sizing.given;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Arrays;
import org.sluiceca.load.cli.InputException;
import org.sluiceca.load.page.Text;

/** The kinds of key that certificates are signed with, and that they are about. */
public enum KeyKind {
  RSA_2048("rsa-2048"),
  RSA_3072("rsa-3072"),
  RSA_4096("rsa-4096"),
  EC_P256("ec-p256"),
  EC_P384("ec-p384"),
  ED25519("ed25519");

  private final String text;

  KeyKind(String text) {
    this.text = text;
  }

  /** Returns the name that the key ceremony uses, and files and plans in JSON. */
  @JsonValue
  public String text() {
    return text;
  }

  /**
   * Returns the kind of this name.
   *
   * @throws InputException if there is none
   */
  @JsonCreator
  public static KeyKind of(String text) {
    return Arrays.stream(values())
        .filter(kind -> kind.text.equals(text))
        .findFirst()
        .orElseThrow(
            () ->
                new InputException(
                    Text.format(
                        "no kind of key '%s': %s",
                        text, Arrays.stream(values()).map(KeyKind::text).toList())));
  }
}
