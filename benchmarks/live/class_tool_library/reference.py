"""Lending tools."""

DAYS = 7
PER_DAY = 50


class Refused(Exception):
    """Something is not allowed."""

    def __init__(self, reason):
        super().__init__(reason)
        self.reason = reason


class Tool:
    """What is lent."""

    def __init__(self, code, title):
        self.code = code
        self.title = title


class Member:
    """Who borrows."""

    def __init__(self, name, limit=2):
        self.name = name
        self.limit = limit
        self.debt = 0
        self._tools = []

    @property
    def tools(self):
        """The codes of the tools the member has."""
        return list(self._tools)

    def pay(self, cents):
        """Pay some of the debt."""
        if not 1 <= cents <= self.debt:
            raise ValueError(f"bad payment: {cents}")
        self.debt -= cents


class _Entry:
    def __init__(self, tool):
        self.tool = tool
        self.borrower = None
        self.due = None
        self.line = []


class ToolLibrary:
    """Tools, who has them and who wants them."""

    def __init__(self):
        self._entries = {}

    def _entry(self, code):
        if code not in self._entries:
            raise LookupError(f"no such tool: {code}")
        return self._entries[code]

    def add(self, tool):
        """Take in a tool."""
        if tool.code in self._entries:
            raise ValueError(f"code exists: {tool.code}")
        self._entries[tool.code] = _Entry(tool)

    def lend(self, code, member, day):
        """Lend a tool; the day it is due."""
        entry = self._entry(code)
        if entry.borrower is not None:
            raise Refused("on loan")
        if entry.line and entry.line[0] is not member:
            raise Refused("reserved")
        if member.debt > 0:
            raise Refused("debt")
        if len(member.tools) >= member.limit:
            raise Refused("limit")
        del entry.line[:1]
        entry.borrower = member
        entry.due = day + DAYS
        member._tools.append(code)
        return entry.due

    def give_back(self, code, day):
        """Take a tool back; who is next."""
        entry = self._entry(code)
        member = entry.borrower
        if member is None:
            raise Refused("not on loan")
        member.debt += PER_DAY * max(0, day - entry.due)
        member._tools.remove(code)
        entry.borrower = entry.due = None
        return entry.line[0].name if entry.line else None

    def reserve(self, code, member):
        """Get in line; the place."""
        entry = self._entry(code)
        if entry.borrower is None and not entry.line:
            raise Refused("available")
        if entry.borrower is member:
            raise Refused("own loan")
        if member in entry.line:
            raise Refused("already waiting")
        entry.line.append(member)
        return len(entry.line)

    def waiting(self, code):
        """Who is in line."""
        return [member.name for member in self._entry(code).line]
