#!/usr/bin/env python3
"""Judges PowerShell scripts without PowerShell: check.py CMDLETS SCRIPT...

CMDLETS lists the cmdlets that may be called, whether they change something, and their parameters. Prints one line for
each fault, `file:line: what`, and ends with 1 if there is one.
"""
import os
import re
import sys

import tree_sitter
import tree_sitter_powershell

COMMON = {"ErrorAction", "Verbose", "WhatIf", "Confirm"}


def text(node):
    return node.text.decode()


def walk(node):
    yield node
    for child in node.children:
        yield from walk(child)


def children(node, kind):
    return [n for n in walk(node) if n.type == kind]


def cmdlets(path):
    known = {}
    for line in open(path, encoding="ascii"):
        words = line.split()
        if words and not line.startswith("#"):
            known[words[0]] = (words[1] == "changes", set(words[2:]))
    return known


class Script:
    def __init__(self, path):
        self.path = path
        self.source = open(path, "rb").read()
        parser = tree_sitter.Parser(tree_sitter.Language(tree_sitter_powershell.language()))
        self.root = parser.parse(self.source).root_node
        self.faults = []
        # Of the script alone: blocks of code in it have parameters of their own.
        block = next((n for n in self.root.children if n.type == "param_block"), None)
        declared = children(block, "script_parameter") if block else []
        self.parameters = {text(v)[1:] for p in declared for v in p.children if v.type == "variable"}

    def fault(self, node, what):
        line = node.start_point[0] + 1 if node is not None else 1
        self.faults.append(f"{os.path.basename(self.path)}:{line}: {what}")

    def judge(self, known, scripts):
        self.judge_syntax()
        self.judge_help()
        self.judge_head()
        own = {text(n) for f in children(self.root, "function_statement") for n in children(f, "function_name")}
        for command in children(self.root, "command"):
            self.judge_command(command, known, scripts, own)
        return self.faults

    def judge_syntax(self):
        for node in walk(self.root):
            if node.type == "ERROR" or node.is_missing:
                self.fault(node, "does not parse")
        if any(octet > 126 or octet < 32 and octet != 10 for octet in self.source):
            self.fault(None, "not plain ASCII with LF, which PowerShell 5.1 reads in the host's code page")

    def judge_help(self):
        block = re.match(rb"<#(.*?)#>", self.source, re.S)
        words = block.group(1).decode("ascii", "replace") if block else ""
        for part in ("SYNOPSIS", "DESCRIPTION", "EXAMPLE"):
            if not re.search(rf"^\.{part}\n +\S", words, re.M):
                self.fault(None, f"the help has no .{part}")
        told = set(re.findall(r"^\.PARAMETER (\w+)\n +\S", words, re.M))
        for name in sorted(told ^ self.parameters):
            self.fault(None, f"parameter {name} is " + ("not in the help" if name in self.parameters else "only in the help"))

    def judge_head(self):
        for line in ("#Requires -Version 5.1", "Set-StrictMode -Version 2.0", "$ErrorActionPreference = 'Stop'"):
            if f"\n{line}\n".encode() not in self.source:
                self.fault(None, f"lacks the line {line}")

    def judge_command(self, command, known, scripts, own):
        name = text(command.child_by_field_name("command_name") or command.children[0])
        elements = [e for n in command.children if n.type == "command_elements" for e in n.children if e.type != "command_argument_sep"]
        given = [e for e in elements if e.type == "command_parameter"]
        script = re.search(r"\\([\w-]+\.ps1)\"?$", text(command).split(" -")[0]) if text(command).startswith("& ") else None
        if script:
            callee = scripts.get(script.group(1))
            if callee is None:
                self.fault(command, f"no script {script.group(1)}")
                return
            permitted = callee.parameters
        elif text(command).startswith("& $"):
            return
        elif name in own:
            return
        elif name in known:
            changes, permitted = known[name]
            if changes and not self.asks_first(command):
                self.fault(command, f"{name} without ShouldProcess around it")
            self.judge_positions(command, name, elements)
        else:
            self.fault(command, f"{name} is no cmdlet that is known")
            return
        for parameter in given:
            word = text(parameter).lstrip("-").split(":")[0]
            if word not in permitted | COMMON:
                self.fault(parameter, f"{script.group(1) if script else name} has no parameter {word}")

    def asks_first(self, node):
        while node is not None:
            parent = node.parent
            if parent is not None and parent.type == "if_statement":
                condition = parent.child_by_field_name("condition")
                # Its own block: what stands in an else was not permitted.
                asked = condition is not None and "ShouldProcess(" in text(condition) and "-not" not in text(condition)
                if asked and node.type == "statement_block":
                    return True
            node = parent
        return False

    # What is given by position is given to what one believes to be the first parameter.
    def judge_positions(self, command, name, elements):
        if name in ("Where-Object", "ForEach-Object"):
            return
        after = None
        for element in elements:
            if element.type == "command_parameter":
                after = element
            elif after is None:
                self.fault(element, f"{name} is given {text(element)} by position")
            else:
                after = None


def main():
    known = cmdlets(sys.argv[1])
    scripts = {os.path.basename(p): Script(p) for p in sys.argv[2:]}
    faults = [f for s in scripts.values() for f in s.judge(known, scripts)]
    print("\n".join(faults) if faults else f"{len(scripts)} scripts, no fault")
    sys.exit(1 if faults else 0)


main()
