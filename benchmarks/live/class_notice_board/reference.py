"""Publish and subscribe."""


class DeliveryFailed(Exception):
    """Some handlers raised."""

    def __init__(self, delivered, errors):
        super().__init__(f"{len(errors)} of {delivered + len(errors)} handlers failed")
        self.delivered = delivered
        self.errors = errors


class Subscription:
    """A handler that waits for a topic's messages."""

    def __init__(self, topic, handler, priority):
        self._topic = topic
        self.handler = handler
        self.priority = priority
        self.active = True
        self.count = 0

    def matches(self, topic):
        """Whether messages of a topic are for it."""
        if self._topic.endswith(".*"):
            return topic.startswith(self._topic[:-1])
        return topic == self._topic

    def cancel(self):
        """Take no more messages; whether it took any until now."""
        was = self.active
        self.active = False
        return was


class NoticeBoard:
    """Brings messages to whoever wants them."""

    def __init__(self):
        self._subscriptions = []

    def subscribe(self, topic, handler, priority=0):
        """Have a handler called with a topic's messages."""
        subscription = Subscription(topic, handler, priority)
        self._subscriptions.append(subscription)
        return subscription

    def publish(self, topic, message):
        """Call all handlers of a topic; how many."""
        self._subscriptions = [one for one in self._subscriptions if one.active]
        matching = [one for one in self._subscriptions if one.matches(topic)]
        delivered, errors = 0, []
        for one in sorted(matching, key=lambda one: -one.priority):
            if not one.active:
                continue
            try:
                one.handler(topic, message)
            except Exception as error:
                errors.append(error)
            else:
                one.count += 1
                delivered += 1
        if errors:
            raise DeliveryFailed(delivered, errors)
        return delivered
