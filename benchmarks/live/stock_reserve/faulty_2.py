"""Reserve pieces for orders."""


class OutOfStock(Exception):
    """An order wants more of a SKU than there is."""

    def __init__(self, sku, wanted, available):
        super().__init__(f"{sku}: wanted {wanted}, available {available}")
        self.sku = sku
        self.wanted = wanted
        self.available = available


def reserve(stock, order):
    """Take a whole order out of the stock, or nothing of it."""
    for sku, quantity in order:
        if quantity < 1:
            raise ValueError(f"bad quantity for {sku}: {quantity}")
    wanted = {}
    for sku, quantity in order:
        wanted[sku] = wanted.get(sku, 0) + quantity
    for sku, quantity in wanted.items():
        if quantity > stock.get(sku, 0):
            raise OutOfStock(sku, quantity, stock.get(sku, 0))
        stock[sku] -= quantity
    return stock


def low_stock(stock, limit):
    """Print what is running out."""
    low = sorted((count, sku) for sku, count in stock.items() if count <= limit)
    for count, sku in low:
        print(f"{sku}: {count}")
    if not low:
        print("all good")
