package org.sluiceca.core.testkit;

import java.util.ArrayList;
import java.util.List;

/** A DER value that can be taken apart, changed and put together again, without a library. */
public final class RawTree {

  private final int tag;
  private byte[] contents;
  private final List<RawTree> children = new ArrayList<>();

  private RawTree(int tag, byte[] contents) {
    this.tag = tag;
    this.contents = contents;
  }

  /** Reads one value; constructed ones are taken apart. */
  public static RawTree of(byte[] der) {
    return readAll(der).getFirst();
  }

  private static List<RawTree> readAll(byte[] der) {
    List<RawTree> read = new ArrayList<>();
    int at = 0;
    while (at < der.length) {
      int tag = der[at] & 0xFF;
      int length = der[at + 1] & 0xFF;
      int start = at + 2;
      if (length >= 0x80) {
        int octets = length & 0x7F;
        length = 0;
        for (int i = 0; i < octets; i++) {
          length = (length << 8) | (der[start + i] & 0xFF);
        }
        start += octets;
      }
      byte[] contents = new byte[length];
      System.arraycopy(der, start, contents, 0, length);
      RawTree tree = new RawTree(tag, contents);
      if ((tag & 0x20) != 0) {
        tree.children.addAll(readAll(contents));
      }
      read.add(tree);
      at = start + length;
    }
    return read;
  }

  /** Returns the value at these places, each counted from 0. */
  public RawTree at(int... places) {
    RawTree tree = this;
    for (int place : places) {
      tree = tree.children.get(place);
    }
    return tree;
  }

  /** Puts another encoding, right or wrong, in the place of a child. */
  public RawTree replace(int place, byte[] encoding) {
    children.set(place, new RawTree(-1, encoding));
    return this;
  }

  /** Adds an encoding behind the children. */
  public RawTree add(byte[] encoding) {
    children.add(new RawTree(-1, encoding));
    return this;
  }

  /** Returns the number of children. */
  public int size() {
    return children.size();
  }

  /** Returns the contents of a primitive value. */
  public byte[] contents() {
    return contents.clone();
  }

  /** Returns the encoding with all changes. */
  public byte[] encoded() {
    if (tag < 0) {
      return contents;
    }
    if ((tag & 0x20) != 0) {
      return RawDer.tlv(tag, children.stream().map(RawTree::encoded).toArray(byte[][]::new));
    }
    return RawDer.tlv(tag, contents);
  }
}
