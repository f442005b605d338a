"""Print an invoice for a 32-column printer."""


def _money(cents):
    return f"{cents // 100}.{cents % 100:02d}"


def print_invoice(customer, lines, vat_percent):
    """Print the invoice and return the total in cents."""
    if not lines:
        raise ValueError("no lines")
    print(f"Invoice for {customer}")
    print("-" * 32)
    net = 0
    for description, quantity, unit_cents in lines:
        amount = quantity * unit_cents
        net += amount
        print(f"{description[:18]:<18}{quantity:>4}{_money(amount):>10}")
    vat = (net * vat_percent + 50) // 100
    print("-" * 32)
    print(f"{'Net':<22}{_money(net):>10}")
    print(f"{f'VAT {vat_percent}%':<22}{_money(vat):>10}")
    print(f"{'Total':<22}{_money(net + vat):>10}")
    return net + vat
