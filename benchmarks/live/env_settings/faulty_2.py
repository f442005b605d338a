"""Settings with overrides from the environment."""

import logging
import os
import re

log = logging.getLogger("settings")
BOOLS = {
    "1": True,
    "true": True,
    "yes": True,
    "on": True,
    "0": False,
    "false": False,
    "no": False,
    "off": False,
}


class SettingsError(Exception):
    """Variables that can't be read."""

    def __init__(self, problems):
        super().__init__("; ".join(problems))
        self.problems = problems


def load_settings(prefix, defaults):
    """The settings, from the environment where it has them."""
    settings, problems, used = dict(defaults), [], []
    for name, default in defaults.items():
        variable = f"{prefix}_{name.upper()}"
        text = os.environ.get(variable)
        if text is None:
            continue
        if isinstance(default, str):
            settings[name] = text
        else:
            text = text.strip()
            if not text:
                continue
            if not isinstance(default, int):
                if text.lower() not in BOOLS:
                    problems.append(f"{variable}: not a bool")
                    continue
                settings[name] = BOOLS[text.lower()]
            else:
                if not re.fullmatch("-?[0-9]+", text):
                    problems.append(f"{variable}: not an int")
                    continue
                settings[name] = int(text)
        used.append((name, variable))
    if problems:
        raise SettingsError(problems)
    for name, variable in used:
        log.info("%s from %s", name, variable)
    return settings
