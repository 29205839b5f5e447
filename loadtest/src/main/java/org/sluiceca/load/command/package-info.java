/**
 * The commands {@code ./sluice load …}: read options and plans, run them, write the page. Entry:
 * {@link org.sluiceca.load.command.LoadCommand}.
 */
@NullMarked
package org.sluiceca.load.command;

import org.jspecify.annotations.NullMarked;
