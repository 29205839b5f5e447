package org.sluiceca.core.audit.verify;

import java.util.Locale;

/** One thing that is not as it was recorded, in one line that names where. */
public sealed interface Finding {

  /** Returns the line. */
  String text();

  /** A finding in a chain. */
  sealed interface InChain extends Finding {
    /** Returns the chain, as the database names it. */
    String chain();

    /** Returns the row, or the first of the rows that are not there. */
    long sequence();

    /** Returns what is wrong with it. */
    String what();

    @Override
    default String text() {
      return String.format(Locale.ROOT, "chain %s row %d: %s", chain(), sequence(), what());
    }
  }

  /** A finding among the checkpoints. */
  sealed interface AmongCheckpoints extends Finding {
    /** Returns the checkpoint's number. */
    long number();

    /** Returns what is wrong with it. */
    String what();

    @Override
    default String text() {
      return String.format(Locale.ROOT, "checkpoint %d: %s", number(), what());
    }
  }

  /** A field of the row, or its hash, was changed. */
  record RowChanged(String chain, long sequence) implements InChain {
    @Override
    public String what() {
      return "changed: its hash is not that of its content";
    }
  }

  /** The row has a hash of its own, and the next row continues another. */
  record RowReplaced(String chain, long sequence) implements InChain {
    @Override
    public String what() {
      return "replaced: the next row continues another one";
    }
  }

  /** Rows are missing before one that is there. */
  record RowsMissing(String chain, long sequence, long last) implements InChain {
    @Override
    public String what() {
      return "missing, up to row " + last;
    }
  }

  /** The chain ends before a head that a checkpoint covers. */
  record TailCut(String chain, long sequence, long last, long checkpoint) implements InChain {
    @Override
    public String what() {
      return String.format(
          Locale.ROOT,
          "cut off, up to row %d at least, which checkpoint %d covers",
          last,
          checkpoint);
    }
  }

  /** The row is not the one that a checkpoint covers, however well its hashes fit. */
  record RowRewritten(String chain, long sequence, long checkpoint) implements InChain {
    @Override
    public String what() {
      return String.format(Locale.ROOT, "rewritten: checkpoint %d covers another row", checkpoint);
    }
  }

  /** The row stands after a later one. */
  record RowOutOfOrder(String chain, long sequence, long before) implements InChain {
    @Override
    public String what() {
      return "out of order: it stands after row " + before;
    }
  }

  /** Two exports hold different rows of this number. */
  record RowDiffers(String chain, long sequence, String one, String other) implements InChain {
    @Override
    public String what() {
      return String.format(Locale.ROOT, "not the same in %s and in %s", one, other);
    }
  }

  /** No checkpoint covers the row, though one was taken long after it. */
  record RowUncovered(String chain, long sequence, long checkpoint) implements InChain {
    @Override
    public String what() {
      return String.format(
          Locale.ROOT,
          "covered by no checkpoint, though checkpoint %d is much younger",
          checkpoint);
    }
  }

  /** The ledger has another certificate under a serial number that the row names. */
  record CertificateChanged(String chain, long sequence, String serialNumber) implements InChain {
    @Override
    public String what() {
      return String.format(
          Locale.ROOT, "certificate %s in the ledger is not the one that was issued", serialNumber);
    }
  }

  /** The ledger has no certificate under a serial number that the row names. */
  record CertificateMissing(String chain, long sequence, String serialNumber) implements InChain {
    @Override
    public String what() {
      return String.format(Locale.ROOT, "certificate %s is missing in the ledger", serialNumber);
    }
  }

  /** Its bytes are not those of a checkpoint of this number. */
  record CheckpointUnreadable(long number) implements AmongCheckpoints {
    @Override
    public String what() {
      return "changed: it cannot be read";
    }
  }

  /** The next checkpoint follows another one. */
  record CheckpointReplaced(long number) implements AmongCheckpoints {
    @Override
    public String what() {
      return "replaced: the next checkpoint follows another one";
    }
  }

  /** Its signature is not the audit key's. */
  record CheckpointForeign(long number, String where) implements AmongCheckpoints {
    @Override
    public String what() {
      return String.format(Locale.ROOT, "the signature in %s is not by the audit key", where);
    }
  }

  /** It was exported with other content. */
  record CheckpointRewritten(long number, String export) implements AmongCheckpoints {
    @Override
    public String what() {
      return "rewritten: not the one exported as " + export;
    }
  }

  /** It is not there, though a later one is, or though it was exported. */
  record CheckpointMissing(long number, long last) implements AmongCheckpoints {
    @Override
    public String what() {
      return number == last ? "missing" : "missing, up to checkpoint " + last;
    }
  }

  /** An exported file holds no checkpoint. */
  record ExportUnreadable(String export) implements Finding {
    @Override
    public String text() {
      return String.format(Locale.ROOT, "exported checkpoint %s: cannot be read", export);
    }
  }

  /**
   * A line of an exported trail that cannot stand there.
   *
   * @param line from 1; 0 of an empty file
   */
  record ExportFault(String file, long line, String what) implements Finding {
    @Override
    public String text() {
      return String.format(Locale.ROOT, "%s line %d: %s", file, line, what);
    }
  }
}
