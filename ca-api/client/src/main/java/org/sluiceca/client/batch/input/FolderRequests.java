package org.sluiceca.client.batch.input;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.sluiceca.client.output.Failure;

/**
 * The requests of a folder: each {@code .csr} and {@code .der} file, and each {@code .pem} file
 * with a request in it. The file's name without its ending is the id.
 */
public final class FolderRequests implements Requests {
  private static final Pattern NAME = Pattern.compile("(?is)(.+)[.](csr|der|pem)");

  private final Path folder;
  private final String profile;
  private final List<String> names = new ArrayList<>();

  /** Lists the folder; fails if it cannot be read or holds too much. */
  public FolderRequests(Path folder, String profile) {
    this.folder = folder;
    this.profile = profile;
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
      for (Path file : files) {
        String name = file.getFileName().toString();
        if (isRequest(file, name) && names.size() == MOST) {
          throw Failure.of(folder + " holds more than " + MOST + " requests: divide it");
        } else if (isRequest(file, name)) {
          names.add(name);
        }
      }
    } catch (IOException | DirectoryIteratorException e) {
      throw Failure.of("cannot read the folder " + folder);
    }
    Collections.sort(names);
  }

  /** A .pem file is as often a certificate or a key: what is no request is not meant. */
  private static boolean isRequest(Path file, String name) throws IOException {
    Matcher matcher = NAME.matcher(name);
    if (!matcher.matches() || name.startsWith(".") || !Files.isRegularFile(file)) {
      return false;
    }
    return !matcher.group(2).equalsIgnoreCase("pem")
        || (Files.isReadable(file) && BatchRequest.isInPem(start(file)));
  }

  /** One octet more than a request may have: so that what is longer is seen to be. */
  private static byte[] start(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      return in.readNBytes(BatchRequest.OCTETS_MAX + 1);
    }
  }

  @Override
  public int count() {
    return names.size();
  }

  @Override
  public Cursor open() {
    return new Cursor() {
      private int next;

      @Override
      public @Nullable Entry next(BitSet skip) {
        int number = skip.nextClearBit(next);
        next = number + 1;
        return number < names.size() ? entry(number) : null;
      }

      @Override
      public void close() {
        next = names.size();
      }
    };
  }

  private Entry entry(int number) {
    String name = names.get(number);
    Matcher matcher = NAME.matcher(name);
    String id = matcher.matches() ? matcher.group(1) : name;
    try {
      byte[] content = start(folder.resolve(name));
      return content.length > BatchRequest.OCTETS_MAX
          ? new Bad(number, id, "the file is over 64 KiB")
          : new Good(number, BatchRequest.of(id, profile, content));
    } catch (IOException e) {
      return new Bad(number, id, "cannot read the file " + name);
    } catch (BatchRequest.BadRequestException e) {
      return new Bad(number, id, String.valueOf(e.getMessage()));
    }
  }
}
