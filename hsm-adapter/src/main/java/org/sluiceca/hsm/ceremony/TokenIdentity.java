package org.sluiceca.hsm.ceremony;

import java.nio.file.Path;
import org.sluiceca.hsm.HsmException;
import org.sluiceca.hsm.pkcs11.Cryptoki;
import org.sluiceca.hsm.pkcs11.CryptokiException;
import org.sluiceca.hsm.pkcs11.Token;
import org.sluiceca.hsm.pkcs11.WrapperCryptoki;
import org.sluiceca.hsm.vendor.CkrProfile;

/**
 * Which token it is, by what the token itself says: two paths may lead to one module, and two
 * modules to one token.
 *
 * @param module the module's file, without links
 */
public record TokenIdentity(Path module, Cryptoki.TokenInfo info) {

  /**
   * Loads the module and finds the token; logs in to nothing. Blocks as long as the token takes.
   *
   * @throws HsmException with one clear line: module or token missing, or several of this label
   */
  public static TokenIdentity of(Path module, String label) {
    try {
      Cryptoki cryptoki = WrapperCryptoki.load(module);
      return new TokenIdentity(WrapperCryptoki.file(module), Token.find(cryptoki, label).info());
    } catch (CryptokiException e) {
      throw CkrProfile.forModule(module).translate(e);
    }
  }

  /**
   * Returns whether both are the same token. A copy of a module, or a proxy, shows the same serial
   * number; where a manufacturer gives none, tokens of one label differ by their modules alone.
   */
  public boolean isSame(TokenIdentity other) {
    return info.equals(other.info)
        && (module.equals(other.module) || !info.serialNumber().isEmpty());
  }
}
