#!/usr/bin/env python3
"""The command line for scripts: exit statuses, messages, reports, and no half-written file.

    cli_test.py LIMBER [unittest options]

A module for each subject; harness.py has what they share.
"""
import sys
import unittest

sys.dont_write_bytecode = True  # the source tree stays as it is

from bad_input import BadInput
from checks import Checks
from endings import Endings
from exports import Exports
from meshes import Meshes
from pages import Pages
from recordings import Recordings
from reports import Reports

__all__ = ["BadInput", "Checks", "Endings", "Exports", "Meshes", "Pages", "Recordings", "Reports"]

if __name__ == "__main__":
    unittest.main()
