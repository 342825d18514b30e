-- Nothing to recognise: a file does not know that it is a copy.
SELECT epoch, installation, installation FROM stream WHERE id = 0
