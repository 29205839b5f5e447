package org.sluiceca.hsm;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * The file that holds a token's user PIN: its first line, in UTF-8. Read again at each login, so
 * that no PIN stays in memory; only the path is ever shown.
 */
public record PinFile(Path path) {
  /** CKA_... knows no bound, but tokens take at most 255 bytes (SoftHSM MAX_PIN_LEN). */
  private static final int BYTES_MAX = 1024;

  /**
   * Reads the PIN. The caller closes it, which wipes it.
   *
   * @throws HsmException.PinUnreadable when the file is missing, unreadable, empty or over 1 KiB
   */
  public Pin read() {
    byte[] bytes = readBytes();
    CharBuffer chars = null;
    try {
      int length = 0;
      while (length < bytes.length && bytes[length] != '\n' && bytes[length] != '\r') {
        length++;
      }
      chars = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes, 0, length));
      if (!chars.hasRemaining()) {
        throw new HsmException.PinUnreadable("the PIN file " + path + " is empty");
      }
      char[] pin = new char[chars.remaining()];
      chars.get(pin);
      return new Pin(pin);
    } catch (CharacterCodingException e) {
      throw new HsmException.PinUnreadable("the PIN file " + path + " is not UTF-8 text");
    } finally {
      Arrays.fill(bytes, (byte) 0);
      if (chars != null) {
        Arrays.fill(chars.array(), '\0');
      }
    }
  }

  private byte[] readBytes() {
    try {
      if (Files.size(path) > BYTES_MAX) {
        throw new HsmException.PinUnreadable(
            "the PIN file " + path + " is larger than " + BYTES_MAX + " bytes");
      }
      return Files.readAllBytes(path);
    } catch (IOException e) {
      throw new HsmException.PinUnreadable(
          "cannot read the PIN file " + path + " (" + e.getClass().getSimpleName() + ")");
    }
  }
}
