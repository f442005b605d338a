"""Ask questions in the terminal."""

import re


class TooManyTries(Exception):
    """No right answer in all tries."""

    def __init__(self, question, answers):
        super().__init__(f"no right answer to {question!r}")
        self.question = question
        self.answers = answers


def ask_number(question, low, high, tries):
    """Ask for a whole number of a range."""
    answers = []
    while len(answers) < tries:
        answer = input(f"{question} [{low}-{high}]: ").strip()
        if not answer:
            continue
        if not re.fullmatch("-?[0-9]+", answer):
            print("That is not a whole number.")
        elif low <= int(answer) <= high:
            return int(answer)
        else:
            print(f"Please stay between {low} and {high}.")
        answers.append(answer)
    raise TooManyTries(question, answers)


def ask_choice(question, options):
    """Ask for one of the options."""
    print(question)
    for number, option in enumerate(options, 1):
        print(f"  {number}) {option}")
    while True:
        answer = input("> ").strip()
        for number, option in enumerate(options, 1):
            if answer == str(number) or answer.lower() == option.lower():
                return answer if answer != str(number) else option
        print("?")
