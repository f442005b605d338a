import pytest

import solution


def row(sku, qty, price):
    return {"sku": sku, "qty": qty, "price": price}


def test_plain_rows():
    text = "sku,qty,price\nA1,2,3.5\nB2,1,4\n"
    assert solution.clean_stock(text) == [row("A1", 2, 3.5), row("B2", 1, 4.0)]


def test_example():
    text = "sku,qty,price\nab1,3,$2.50\nAB1,4,\n"
    assert solution.clean_stock(text) == [row("AB1", 7, 2.5)]


def test_types():
    got = solution.clean_stock("sku,qty,price\na,2,4\n")
    assert type(got[0]["qty"]) is int
    assert type(got[0]["price"]) is float


def test_header_order_case_spaces_and_extra_columns():
    text = " PRICE ,note, Qty,SKU \n1.25,fragile,6,x9\n"
    assert solution.clean_stock(text) == [row("X9", 6, 1.25)]


def test_missing_column():
    with pytest.raises(ValueError):
        solution.clean_stock("sku,qty\nA,1\n")


def test_empty_text():
    assert solution.clean_stock("") == []


def test_whitespace_text():
    assert solution.clean_stock("  \n \n") == []


def test_header_only():
    assert solution.clean_stock("sku,qty,price\n") == []


def test_cells_are_stripped():
    text = "sku,qty,price\n  a1 , 5 ,  $3.00 \n"
    assert solution.clean_stock(text) == [row("A1", 5, 3.0)]


def test_commas_in_qty():
    text = 'sku,qty,price\na,"1,200",1\nb,"1,0,0",2\n'
    assert solution.clean_stock(text) == [row("A", 1200, 1.0), row("B", 100, 2.0)]


def test_quoted_cell_with_comma():
    text = 'note,sku,qty,price\n"big, heavy","a,b",2,5\n'
    assert solution.clean_stock(text) == [row("A,B", 2, 5.0)]


def test_row_without_sku_is_thrown_away():
    text = "sku,qty,price\n  ,3,1\nb,1,1\n"
    assert solution.clean_stock(text) == [row("B", 1, 1.0)]


def test_short_line_has_blank_cells():
    text = "sku,qty,price\na,3\nb,2,1\n"
    assert solution.clean_stock(text) == [row("A", 3, None), row("B", 2, 1.0)]


def test_bad_qty_throws_row_away():
    text = "sku,qty,price\na,-1,1\nb,3.5,1\nc,n/a,1\nd,+2,1\ne,1,1\n"
    assert solution.clean_stock(text) == [row("E", 1, 1.0)]


def test_bad_price_throws_row_away():
    text = "sku,qty,price\na,1,-2\nb,1,n/a\nc,1,$ 5\nd,1,1e3\nf,1,2.\ng,1,.5\nh,1,$2\n"
    assert solution.clean_stock(text) == [row("H", 1, 2.0)]


def test_bad_row_adds_nothing_to_its_sku():
    text = "sku,qty,price\na,2,1\na,5,oops\na,bad,9\n"
    assert solution.clean_stock(text) == [row("A", 2, 1.0)]


def test_bad_first_row_does_not_fix_the_place():
    text = "sku,qty,price\na,x,1\nb,1,1\na,1,1\n"
    assert solution.clean_stock(text) == [row("B", 1, 1.0), row("A", 1, 1.0)]


def test_duplicates_at_first_place_with_last_price():
    text = "sku,qty,price\na,1,1\nb,1,7\nA,2,3\na,4,\n"
    assert solution.clean_stock(text) == [row("A", 7, 3.0), row("B", 1, 7.0)]


def test_zero_in_the_end_is_left_out():
    text = "sku,qty,price\na,0,1\nb,,2\nb,0,2\nc,1,\n"
    assert solution.clean_stock(text) == [row("C", 1, None)]


def test_zero_first_then_more_keeps_place_and_price():
    text = "sku,qty,price\na,,9.5\nb,1,1\na,2,\n"
    assert solution.clean_stock(text) == [row("A", 2, 9.5), row("B", 1, 1.0)]
