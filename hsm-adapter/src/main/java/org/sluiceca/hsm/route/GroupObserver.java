package org.sluiceca.hsm.route;

import java.util.function.Supplier;
import org.sluiceca.hsm.HsmException;
import org.sluiceca.hsm.HsmObserver;
import org.sluiceca.hsm.KeyRef;

/**
 * Listens to the tokens of a group. Methods are called from the tokens' own threads and from
 * requests: they must not block and must not throw.
 */
public interface GroupObserver {
  /** Hears nothing. */
  GroupObserver NONE =
      new GroupObserver() {
        @Override
        public HsmObserver added(String token, Supplier<TokenStatus> status) {
          return HsmObserver.NONE;
        }

        @Override
        public void joined(String token) {}

        @Override
        public void away(String token, HsmException why) {}

        @Override
        public void left(String token) {}

        @Override
        public void keyMismatch(String token, KeyRef key) {}

        @Override
        public void failedOver(String to, HsmException why) {}
      };

  /**
   * The token was added, or its settings were changed; it is about to be opened.
   *
   * @param status how the token of this name stands at any time; takes no lock
   * @return who listens to the token itself
   */
  HsmObserver added(String token, Supplier<TokenStatus> status);

  /** The token is open and takes requests. */
  void joined(String token);

  /** The token could not be opened; it is tried again. */
  void away(String token, HsmException why);

  /** The token was removed from the group and is closed. */
  void left(String token);

  /** Alarm: another key than expected has the CKA_ID. The token never serves that key. */
  void keyMismatch(String token, KeyRef key);

  /** A request goes to this token because another one did not begin to sign it. */
  void failedOver(String to, HsmException why);
}
