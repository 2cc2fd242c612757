"""The SQL database: tables, transactions, repositories, migrations."""
