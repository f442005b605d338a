import csv
import io
import re

_PRICE = re.compile(r"\$?([0-9]+(?:\.[0-9]+)?)")


def clean_stock(text):
    if not text.strip():
        return []
    lines = csv.reader(io.StringIO(text, newline=""))
    header = [cell.strip().lower() for cell in next(lines)]
    places = {}
    for key in ("sku", "qty", "price"):
        if key not in header:
            raise ValueError("missing column: " + key)
        places[key] = header.index(key)
    found = {}
    for cells in lines:
        values = {
            key: cells[at].strip() if at < len(cells) else ""
            for key, at in places.items()
        }
        sku = values["sku"].upper()
        if not sku:
            continue
        qty_text = values["qty"]
        if qty_text == "":
            qty = 0
        else:
            digits = qty_text.replace(",", "")
            if not re.fullmatch(r"[0-9]+", digits):
                continue
            qty = int(digits)
        price = None
        if values["price"] != "":
            match = _PRICE.fullmatch(values["price"])
            if match is None:
                values["price"] = ""
                match = re.match("()", "")
                price = None
                found.setdefault(sku, {"sku": sku, "qty": 0, "price": None})["qty"] += qty
                continue
            price = float(match.group(1))
        entry = found.setdefault(sku, {"sku": sku, "qty": 0, "price": None})
        entry["qty"] += qty
        if price is not None:
            entry["price"] = price
    return [entry for entry in found.values() if entry["qty"] != 0]
